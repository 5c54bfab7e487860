import type { Tool } from '@surehand/core'
import { connectSite } from './owner/connect-site.ts'
import { eraseRows } from './owner/erase-rows.ts'
import { resumeSite, stopSite } from './owner/kill-switch.ts'
import { recordEvent } from './owner/record-event.ts'
import { createKey, revokeKey } from './owner/site-keys.ts'
import { storePages } from './search/store-pages.ts'
import { endSession } from './session/end-session.ts'
import { openSession } from './session/open-session.ts'
import { reserveSpend } from './session/reserve-spend.ts'
import { publishSlots, withdrawSlots } from './slots/publish-slots.ts'
import { bookOwnSlot, cancelOwnBooking, holdOwnSlot } from './slots/take-slot.ts'

// The tools whose effect is a transaction. SQLite's writer thread loads this module and nothing else
// of the pack, so a tool without a transaction belongs in pack.ts: it would delay every start.

export const siteTransactionTools: readonly Tool[] = [
  openSession,
  endSession,
  reserveSpend,
  recordEvent,
  storePages,
  connectSite,
  createKey,
  revokeKey,
  stopSite,
  resumeSite,
  eraseRows,
  publishSlots,
  withdrawSlots,
  holdOwnSlot,
  bookOwnSlot,
  cancelOwnBooking,
]
