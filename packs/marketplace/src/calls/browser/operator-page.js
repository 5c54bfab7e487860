// The operator's page: it offers the microphone of this browser for the next call to a client, and
// plays the client's voice when WhatsApp has connected the call. Below, conversations are taken over,
// paused and handed back.

const RENEW_MS = 60_000
const LOOK_MS = 2_000
const LIST_MS = 5_000

const button = document.querySelector('#ready')
const status = document.querySelector('#status')
const audio = document.querySelector('#voice')
let connection
let answered
// The last call of the time before this browser was ready.
let earlier
let timers = []

function show(text) {
  status.textContent = text
}

async function post(name, body) {
  const response = await fetch(`/marketplace/operator/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`The server answered with the status ${response.status}.`)
}

async function prepareOffer() {
  connection = new RTCPeerConnection()
  const microphone = await navigator.mediaDevices.getUserMedia({ audio: true })
  for (const track of microphone.getTracks()) connection.addTrack(track, microphone)
  connection.addEventListener('track', ({ streams }) => {
    audio.srcObject = streams[0]
  })
  // WhatsApp takes the offer with all its candidates at once; the last one is null.
  const complete = new Promise((resolve) => {
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate === null) resolve()
    })
  })
  await connection.setLocalDescription(await connection.createOffer())
  await complete
}

const sendOffer = () => post('offer', { sdp: connection.localDescription.sdp })

async function readCall() {
  const response = await fetch('/marketplace/operator/call')
  const { call } = await response.json()
  return call
}

async function lookForCall() {
  const call = await readCall()
  if (call === null || call.id === earlier) return
  show(`Call to ${call.phone}: ${call.state}`)
  if (call.answer_sdp !== null && answered !== call.id && call.state !== 'completed') {
    answered = call.id
    // The call goes on without sound where the answer cannot be used, as that of the emulator.
    await connection
      .setRemoteDescription({ type: 'answer', sdp: call.answer_sdp })
      .catch(() => show(`Call to ${call.phone}: ${call.state}, without sound`))
  }
  // A short call may be over before this page has seen it begin.
  if (['completed', 'failed', 'no_answer', 'busy'].includes(call.state))
    await stop('The call is over.')
}

async function start() {
  show('Asking for the microphone…')
  await prepareOffer()
  earlier = (await readCall())?.id
  await sendOffer()
  show('Ready. The next call to a client is yours.')
  button.textContent = 'Stop'
  timers = [
    setInterval(sendOffer, RENEW_MS),
    setInterval(() => lookForCall().catch(() => undefined), LOOK_MS),
  ]
}

async function stop(text) {
  for (const timer of timers) clearInterval(timer)
  timers = []
  connection?.close()
  connection = undefined
  await post('offer', { sdp: null })
  show(text)
  button.textContent = 'I am ready'
}

button.addEventListener('click', () => {
  const work = connection === undefined ? start() : stop('Not ready.')
  work.catch((error) => show(error.message))
})

const ANSWERS = { auto: 'the marketplace', operator: 'an operator', paused: 'nobody (paused)' }
const CHANGES = [
  ['operator', 'Take over'],
  ['paused', 'Pause'],
  ['auto', 'Hand back'],
]
const rows = document.querySelector('#requests')
const trouble = document.querySelector('#trouble')

function createCell(content) {
  const cell = document.createElement('td')
  cell.append(...content)
  return cell
}

function createButton(request, [mode, label]) {
  const element = document.createElement('button')
  element.textContent = label
  element.disabled = request.mode === mode
  element.addEventListener('click', () => {
    post('mode', { conversation_id: request.conversation_id, mode })
      .then(listRequests)
      .catch((error) => {
        trouble.textContent = error.message
      })
  })
  return element
}

function createRow(request) {
  const row = document.createElement('tr')
  row.append(
    createCell([`${request.client} ${request.phone}`.trim()]),
    createCell([request.need ?? '']),
    createCell([request.state.replaceAll('_', ' ')]),
    createCell([ANSWERS[request.mode] ?? request.mode]),
    createCell(CHANGES.flatMap((change) => [createButton(request, change), ' '])),
  )
  return row
}

async function listRequests() {
  const response = await fetch('/marketplace/operator/requests')
  if (!response.ok) throw new Error('Only operators of the marketplace see its conversations.')
  const { requests } = await response.json()
  rows.replaceChildren(...requests.filter(({ state }) => state !== 'closed').map(createRow))
  trouble.textContent = requests.length === 0 ? 'There are no conversations yet.' : ''
}

function refresh() {
  listRequests().catch((error) => {
    trouble.textContent = error.message
  })
}
refresh()
setInterval(refresh, LIST_MS)
