import { CssSelector, Path, Url } from '@surehand/documents'
import { z } from 'zod'

// The messages between the server, the widget and the bridge in the page. The bridge has no
// dependency, so it checks the same shapes by hand; a test compares both.

/** The version of these messages. A bridge and a widget of other versions refuse each other. */
export const BRIDGE_VERSION = 1

/** A larger message is refused before it is parsed. */
export const MAX_MESSAGE_BYTES = 65_536

/** How long the widget waits for the bridge's `hello`, and for the result of a command. */
export const HANDSHAKE_TIMEOUT_MS = 5_000
export const EXECUTE_TIMEOUT_MS = 10_000

const Nonce = z.string().regex(/^[A-Za-z0-9_-]{22,64}$/)
const CommandId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/)
const Text = z.string().max(1_000)
const MAX_URLS = 50

/** What the page is asked to do. `do` names it as the tool does. */
export const PageCommand = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('goto'), path: Path }),
  z.strictObject({ do: z.literal('highlight'), selector: CssSelector }),
  z.strictObject({
    do: z.literal('scrollTo'),
    selector: CssSelector.optional(),
    to: z.enum(['top', 'bottom', 'anchor']).optional(),
  }),
  z.strictObject({
    do: z.literal('open'),
    url: Url,
    target: z.enum(['_blank', '_self']),
  }),
  z.strictObject({
    do: z.literal('fillField'),
    selector: CssSelector,
    value: z.string().max(10_000),
  }),
  z.strictObject({
    do: z.literal('submitForm'),
    formSelector: CssSelector,
    validate: z.boolean(),
  }),
  /** An action of actions.json: the element with this `data-action`. */
  z.strictObject({
    do: z.literal('act'),
    action: z.string().regex(/^[A-Za-z][A-Za-z0-9._-]{0,127}$/),
    selector: CssSelector.optional(),
    params: z.record(
      z.string().max(128),
      z.union([z.string().max(10_000), z.number(), z.boolean()]),
    ),
  }),
  /** Elements that could be meant, by landmark, when a selector matches nothing. */
  z.strictObject({ do: z.literal('candidates'), words: Text }),
  /** What a submit would send and where to, without sending it. */
  z.strictObject({ do: z.literal('describeForm'), formSelector: CssSelector }),
  /** Asks the browser to load these pages beforehand, by Speculation Rules or link elements. */
  z.strictObject({
    do: z.literal('prefetch'),
    urls: z.array(Path).min(1).max(MAX_URLS),
    mode: z.enum(['prefetch', 'prerender']),
  }),
  z.strictObject({ do: z.literal('clearHighlights') }),
  /** A tool that a page of this origin registered itself (WebMCP), if it is still as it was accepted. */
  z.strictObject({
    do: z.literal('callTool'),
    origin: z.string().max(300),
    definition: z.string().max(16_000),
    input: z.record(z.string().max(128), z.json()),
  }),
])
export type PageCommand = z.output<typeof PageCommand>

const Landmark = z.strictObject({
  role: z.enum([
    'banner',
    'navigation',
    'main',
    'region',
    'search',
    'form',
    'contentinfo',
    'complementary',
  ]),
  name: Text.optional(),
})

/** An element that could be meant, with a selector that finds it again. */
export const PageCandidate = z.strictObject({
  selector: CssSelector,
  landmark: Landmark.optional(),
  role: z.string().max(64).optional(),
  name: Text,
  action: z.string().max(128).optional(),
})
export type PageCandidate = z.output<typeof PageCandidate>

/** A form as the page would send it. Values of password and hidden fields are never included. */
export const PageForm = z.strictObject({
  method: z.enum(['get', 'post', 'dialog']),
  enctype: z.string().max(128),
  action: z.string().max(2_048),
  fields: z
    .array(z.strictObject({ name: z.string().max(256), label: Text.optional(), value: Text }))
    .max(100),
  problems: z.array(z.strictObject({ field: z.string().max(256), message: Text })).max(100),
})
export type PageForm = z.output<typeof PageForm>

/** The value of a `result`. Which members it has depends on the command. */
export const PageValue = z.strictObject({
  /** The page that the visitor sees afterwards, as far as it is known. */
  url: z.string().max(2_048).optional(),
  candidates: z.array(PageCandidate).max(20).optional(),
  form: PageForm.optional(),
  /** What a tool of the page answered. */
  answer: z.string().max(20_000).optional(),
  /** The page had executed this command before, and did not do so again. */
  repeated: z.boolean().optional(),
})
export type PageValue = z.output<typeof PageValue>

export const PAGE_ERROR_CODES = [
  'not_found', // no element matches; `candidates` may name some
  'not_allowed', // a password, hidden or payment field, a foreign address
  'invalid', // the form's own validation refused it; `form.problems` says why
  'navigation_failed',
  'timeout',
  'failed', // a tool of the page failed; it may have done something
  'unsupported', // the bridge does not know this command
] as const

const common = { nonce: Nonce }

/** First message of each side. The bridge names its page; the widget answers with its nonce. */
export const HelloMessage = z.strictObject({
  ...common,
  type: z.literal('hello'),
  version: z.literal(BRIDGE_VERSION),
  url: Url.optional(),
  title: Text.optional(),
})
export const ExecuteMessage = z.strictObject({
  ...common,
  type: z.literal('execute'),
  /** The same for every repetition: the page executes an id once and answers again. */
  id: CommandId,
  command: PageCommand,
})
export const ResultMessage = z.strictObject({
  ...common,
  type: z.literal('result'),
  id: CommandId,
  value: PageValue,
})
export const ErrorMessage = z.strictObject({
  ...common,
  type: z.literal('error'),
  id: CommandId.optional(),
  code: z.enum(PAGE_ERROR_CODES),
  message: Text,
  candidates: z.array(PageCandidate).max(20).optional(),
  form: PageForm.optional(),
})
export const StatusMessage = z.strictObject({
  ...common,
  type: z.literal('status'),
  /** The page's; `opened` and `closed` are the widget's: how much room its frame needs. */
  state: z.enum(['ready', 'navigating', 'arrived', 'failed', 'leaving', 'opened', 'closed']),
  /** The command that this is about. */
  id: CommandId.optional(),
  url: Url.optional(),
  title: Text.optional(),
  landmarks: z.array(Landmark).max(50).optional(),
})

/** Every message of the bridge, in both directions. */
export const BridgeMessage = z.discriminatedUnion('type', [
  HelloMessage,
  ExecuteMessage,
  ResultMessage,
  ErrorMessage,
  StatusMessage,
])
export type BridgeMessage = z.output<typeof BridgeMessage>

// Between the widget and the server there is no nonce: the visitor's token authenticates them.
const unsigned = { nonce: true } as const

/** What the widget posts back to the server. */
export const PageReport = z.discriminatedUnion('type', [
  HelloMessage.omit(unsigned),
  ResultMessage.omit(unsigned),
  ErrorMessage.omit(unsigned),
  StatusMessage.omit(unsigned),
])
export type PageReport = z.output<typeof PageReport>

/** What the server sends to the widget, to be executed in the page. */
export const PageOrder = ExecuteMessage.omit(unsigned)
export type PageOrder = z.output<typeof PageOrder>
