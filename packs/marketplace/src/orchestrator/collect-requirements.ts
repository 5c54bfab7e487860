import { callTool, type MarketWork, runTool } from '../engine/market-context.ts'
import type { MessageEvent } from '../messages/market-event.ts'
import type { Inbound } from '../messages/store-inbound.ts'
import { downloadMedia, mediaUrlOf } from '../ocr/media-store.ts'
import { isMedicineWord } from '../prescriptions/medicine-words.ts'
import { sourceCodeOf } from '../refuse.ts'
import { advanceRequest, beginOutreach } from './advance-request.ts'
import {
  askPerson,
  type ClientRequest,
  moveRequest,
  readClientRequest,
  writeToClient,
} from './client-request.ts'
import { findKnownPlace, isGreeting, readNeed } from './read-need.ts'
import { runOcrJob } from './run-ocr-job.ts'
import { phrasesOf } from './texts.ts'

/** The categories that a client can choose from; a list of WhatsApp has at most ten. */
const MAX_CATEGORIES = 10

/** Reads what a message adds to a request, then asks for what is missing or begins to ask vendors. */
export async function collectRequirements(
  work: MarketWork,
  request: ClientRequest,
  event: MessageEvent,
  inbound: Inbound,
): Promise<string> {
  if (event.media !== undefined && event.type !== 'sticker')
    return takePicture(work, request, event, inbound)
  await describeMessage(work, request, event, inbound)
  const described = await readClientRequest(work, request.id)
  if (described?.state === 'collecting_requirements') return askOrBegin(work, described)
  await advanceRequest(work, request.id)
  return 'the message was added'
}

/** Stores what a message says about the need, once. */
export async function describeMessage(
  work: MarketWork,
  request: ClientRequest,
  event: MessageEvent,
  inbound: Inbound,
): Promise<void> {
  // Driven again after a crash, the message must not be read a second time: what it said is known
  // now, and it would be taken for the answer to the next question.
  if (!(await isDescribed(work, inbound.message_id))) {
    const said = await readMessage(work, request, event)
    await runTool(work, {
      tool: 'marketplace.describe_request',
      input: { request_id: request.id, message_id: inbound.message_id, ...said },
    })
  }
}

/** Has it been stored what this message says about a need? */
export async function isDescribed(
  { read, tenant }: MarketWork,
  messageId: string,
): Promise<boolean> {
  const [row] = await read(
    'select request_id from mk_messages where tenant = ? and id = ?',
    tenant,
    messageId,
  )
  return row !== undefined && row.request_id !== null
}

/** Asks the next question, or begins to ask vendors when nothing is missing. */
export async function askOrBegin(work: MarketWork, request: ClientRequest): Promise<string> {
  const { need, category } = request.requirements
  const phrases = phrasesOf(request.language)
  if (need === undefined) {
    await writeToClient(work, request, phrases.askNeed)
    return 'the client was asked for the need'
  }
  if (category === undefined) {
    await writeToClient(
      work,
      request,
      phrases.askCategory(need),
      (await listCategories(work)).map(toTitle),
    )
    return 'the client was asked who sells it'
  }
  if (request.lat === undefined || request.lng === undefined) {
    await writeToClient(work, request, phrases.askPlace(need))
    return 'the client was asked for the place'
  }
  await beginOutreach(work, request)
  return 'vendors are asked'
}

type Said = {
  readonly requirements?: Readonly<Record<string, string>>
  readonly place?: { readonly lat: number; readonly lng: number }
}

async function readMessage(
  work: MarketWork,
  request: ClientRequest,
  event: MessageEvent,
): Promise<Said> {
  if (event.location !== undefined) {
    const { lat, lng, label } = event.location
    return {
      requirements: { location_text: label ?? phrasesOf(request.language).sharedPlace },
      place: { lat, lng },
    }
  }
  const text = event.text ?? ''
  if (text.trim() === '' || isGreeting(text)) return {}
  const known = request.requirements
  if (known.need !== undefined && known.category === undefined) {
    const chosen = await findCategory(work, text)
    if (chosen !== undefined) return { requirements: { category: chosen } }
  }
  if (known.need !== undefined && known.category !== undefined) return readPlace(work, text)
  const { need, locationText } = readNeed(text)
  const category = need === undefined ? undefined : classifyNeed(need)
  const place = locationText === undefined ? {} : await readPlace(work, locationText)
  return {
    ...place,
    requirements: {
      ...(place.requirements ?? {}),
      ...(need === undefined ? {} : { need: need.slice(0, 300) }),
      ...(category === undefined ? {} : { category }),
    },
  }
}

async function readPlace(work: MarketWork, text: string): Promise<Said> {
  const name = findKnownPlace(text) ?? readNeed(text).locationText ?? text
  const found = await work.places.resolve(
    { tenant: work.tenant, query: name.slice(0, 200), regionCode: 'RW' },
    work.signal,
  )
  if (found === null) return { requirements: { location_text: name.slice(0, 200) } }
  return {
    requirements: { location_text: (found.name ?? name).slice(0, 200) },
    place: { lat: found.location.lat, lng: found.location.lng },
  }
}

async function listCategories({ read, tenant }: MarketWork): Promise<readonly string[]> {
  const rows = await read(
    `select category, count(*) as n from mk_vendor_categories where tenant = ? group by category order by n desc, category limit ${MAX_CATEGORIES}`,
    tenant,
  )
  return rows.map(({ category }) => String(category))
}

/** `auto_parts` as a client reads it: Auto parts. */
function toTitle(category: string): string {
  const words = category.replaceAll('_', ' ')
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, 20)
}

async function findCategory(work: MarketWork, text: string): Promise<string | undefined> {
  const wanted = text.trim().toLowerCase()
  const categories = await listCategories(work)
  return (
    categories.find(
      (category) => toTitle(category).toLowerCase() === wanted || category === wanted,
    ) ?? categories.find((category) => category === classifyNeed(text))
  )
}

async function takePicture(
  work: MarketWork,
  request: ClientRequest,
  event: MessageEvent,
  inbound: Inbound,
): Promise<string> {
  const media = event.media ?? { id: '', type: '' }
  const phrases = phrasesOf(request.language)
  if (!media.type.startsWith('image/')) {
    await askPerson(work, {
      kind: 'unsupported_message',
      subject: event.id,
      reason: `The client sent a file of the type ${media.type}.`,
      request_id: request.id,
      conversation_id: request.conversationId,
      message_id: inbound.message_id,
    })
    await writeToClient(work, request, phrases.unsupported)
    return 'a person looks at the file'
  }
  // Now, because WhatsApp's address expires within minutes.
  await downloadMedia(work, media.id)
  const created = await callTool(work, {
    tool: 'marketplace.create_ocr_job',
    input: {
      request_id: request.id,
      message_id: event.id,
      media_url: mediaUrlOf(media.id),
      media_type: media.type,
    },
  })
  if (created.status === 'failed') {
    if (sourceCodeOf(created.error) !== 'OCR_DISABLED') throw created.error
    await writeToClient(work, request, phrases.pictureOff)
    return 'pictures are not read'
  }
  await moveRequest(work, request, 'ocr_processing', { reason: 'the client sent a picture' })
  await writeToClient(work, request, phrases.readingPicture)
  if (created.status === 'done') await runOcrJob(work, (created.data as { job_id: string }).job_id)
  return 'the picture is read'
}

// What people ask for, by the category that sells it. English, French and Kinyarwanda, without
// accents. A need that fits none is asked back.
const WORDS: Readonly<Record<string, RegExp>> = {
  pharmacy:
    /\b(?:\d+\s?mg|tablets?|capsules?|syrup|sirop|comprimes?|gelules?|ointment|pommade|medicines?|medicaments?|imiti|umuti|pharmacy|pharmacie|farumasi|vaccine|insulin|bandages?|prescription|ordonnance)\b/,
  electronics:
    /\b(?:phones?|telefoni|telephones?|laptops?|ordinateurs?|mudasobwa|chargers?|chargeurs?|sharijeri|tv|television|televiziyo|radio|battery|batterie|headphones?|ecouteurs|camera|usb|electronics?|printer|imprimante|iphone|samsung|tecno)\b/,
  hardware:
    /\b(?:cement|ciment|sima|nails?|clous|imisumari|paint|peinture|irangi|tiles?|carreaux|hammer|marteau|inyundo|pipes?|tuyaux?|iron sheets?|toles?|amabati|wire|cables?|locks?|serrure|wood|bois|timber|hardware|quincaillerie|drill|perceuse|screws?|vis)\b/,
  groceries:
    /\b(?:rice|riz|umuceri|beans|haricots|ibishyimbo|sugar|sucre|isukari|milk|lait|amata|oil|huile|amavuta|flour|farine|ifu|tomatoes|tomates|inyanya|potatoes|pommes de terre|ibirayi|bananas?|bananes|imineke|eggs|oeufs|amagi|meat|viande|inyama|bread|pain|umugati|groceries|epicerie|water|eau|amazi)\b/,
  clothing:
    /\b(?:shoes?|chaussures?|inkweto|shirts?|chemises?|ishati|dress|robe|ikanzu|trousers|pantalon|ipantaro|jeans|jacket|veste|kitenge|igitenge|fabric|tissu|clothes|vetements|imyenda|uniform|uniforme)\b/,
  auto_parts:
    /\b(?:tyres?|tires?|pneus?|amapine|ipine|brakes?|freins?|feri|car battery|spare parts?|pieces? (?:de rechange|auto)|engine oil|huile moteur|filter|filtre|headlight|phare|bumper|pare-chocs|moto parts|toyota|rav4|corolla)\b/,
  stationery:
    /\b(?:notebooks?|cahiers?|amakaye|ikaye|pens?|stylos?|ikaramu|paper|papier|impapuro|books?|livres?|ibitabo|igitabo|printing|impression|toner|stationery|papeterie|ruler|regle)\b/,
  furniture:
    /\b(?:tables?|chairs?|chaises?|intebe|ameza|beds?|lits?|uburiri|igitanda|sofas?|canape|wardrobe|armoire|mattress|matelas|matela|furniture|meubles?|desk|bureau)\b/,
}

/** The category that sells what is needed; undefined where it is not clear. */
function classifyNeed(need: string): string | undefined {
  const text = need.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const hits = Object.entries(WORDS)
    .map(([category, pattern]) => ({
      category,
      count: [...text.matchAll(new RegExp(pattern, 'g'))].length,
    }))
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count)
  if (text.split(/[^a-z0-9-]+/).some((word) => word.length > 3 && isMedicineWord(word)))
    return 'pharmacy'
  return hits[0]?.category
}
