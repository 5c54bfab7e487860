import { definePort, sameKey } from '@surehand/core'
import type { PageCandidate, PageCommand, PageForm, PageValue } from '../bridge-messages.ts'

/** The page session of a visitor: one tab with the site in it. */
export type PageSession = { readonly tenant: string; readonly session: string }

/** Commands that change nothing but what the visitor sees. */
export type NavigationCommand = Extract<
  PageCommand,
  { do: 'goto' | 'highlight' | 'scrollTo' | 'open' | 'prefetch' | 'clearHighlights' }
>
/** Commands after which the site may store something. */
export type WritingCommand = Extract<
  PageCommand,
  { do: 'fillField' | 'submitForm' | 'act' | 'callTool' }
>

export type Dispatched = {
  readonly commandId: string
  /** Whether a tab of the visitor is connected; otherwise it executes the command when it is. */
  readonly isConnected: boolean
}

/** What became of a command. `open`: the page has not answered yet. */
export type CommandState =
  | { readonly state: 'open' }
  | { readonly state: 'done'; readonly value: PageValue }
  | {
      readonly state: 'failed'
      readonly code: string
      readonly message: string
      readonly candidates: readonly PageCandidate[]
    }

/** Where the visitor is. */
export type PageView = {
  readonly isConnected: boolean
  readonly url: string | undefined
  readonly title: string | undefined
}

/**
 * The visitor's page, reached through the widget. A command without a connected tab fails with
 * TOOL_RESOURCE_UNAVAILABLE, except `dispatch`, which says so.
 */
export type PageBridge = {
  /** Sends a command and returns at once; `state` reports later what became of it. */
  readonly dispatch: (
    request: PageSession & { readonly command: NavigationCommand },
    signal: AbortSignal,
  ) => Promise<Dispatched>
  /** Sends a command and waits for the page. A missing element fails with candidates. */
  readonly show: (
    request: PageSession & { readonly command: NavigationCommand },
    signal: AbortSignal,
  ) => Promise<PageValue>
  readonly candidates: (
    request: PageSession & { readonly words: string },
    signal: AbortSignal,
  ) => Promise<readonly PageCandidate[]>
  readonly describeForm: (
    request: PageSession & { readonly formSelector: string },
    signal: AbortSignal,
  ) => Promise<PageForm>
  readonly view: (request: PageSession, signal: AbortSignal) => Promise<PageView>
  readonly state: (
    request: PageSession & { readonly commandId: string },
    signal: AbortSignal,
  ) => Promise<CommandState>
  /** The page executes a key once, also over reloads of the tab, and answers again. */
  readonly perform: (
    request: PageSession & { readonly command: WritingCommand; readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<PageValue>
}

export const pageBridge = definePort<PageBridge>('pageBridge', {
  dispatch: 'read',
  show: 'read',
  candidates: 'read',
  describeForm: 'read',
  view: 'read',
  state: 'read',
  perform: sameKey({ validFor: '15m' }),
})
