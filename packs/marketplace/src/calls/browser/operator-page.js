// The operator's page: it offers the microphone of this browser for the next call to a client, and
// plays the client's voice when WhatsApp has connected the call.

const RENEW_MS = 60_000
const LOOK_MS = 2_000

const button = document.querySelector('#ready')
const status = document.querySelector('#status')
const audio = document.querySelector('#voice')
let connection
let answered
let timers = []

function show(text) {
  status.textContent = text
}

async function post(body) {
  const response = await fetch('/marketplace/operator/offer', {
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

const sendOffer = () => post({ sdp: connection.localDescription.sdp })

async function lookForCall() {
  const response = await fetch('/marketplace/operator/call')
  const { call } = await response.json()
  if (call === null) return
  show(`Call to ${call.phone}: ${call.state}`)
  if (call.answer_sdp !== null && answered !== call.id && call.state !== 'completed') {
    answered = call.id
    await connection.setRemoteDescription({ type: 'answer', sdp: call.answer_sdp })
  }
  if (['completed', 'failed', 'no_answer', 'busy'].includes(call.state) && answered === call.id)
    await stop('The call is over.')
}

async function start() {
  show('Asking for the microphone…')
  await prepareOffer()
  await sendOffer()
  show('Ready. The next call to a client is yours.')
  button.textContent = 'Stop'
  timers = [setInterval(sendOffer, RENEW_MS), setInterval(lookForCall, LOOK_MS)]
}

async function stop(text) {
  for (const timer of timers) clearInterval(timer)
  timers = []
  connection?.close()
  connection = undefined
  await post({ sdp: null })
  show(text)
  button.textContent = 'I am ready'
}

button.addEventListener('click', () => {
  const work = connection === undefined ? start() : stop('Not ready.')
  work.catch((error) => show(error.message))
})
