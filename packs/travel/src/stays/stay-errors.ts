import { ToolError } from '@surehand/core'
import type { Amount } from './stays-port.ts'

/** The provider's total is no longer the one that was approved: nothing has been booked. */
export function priceChanged(approved: Amount, now: Amount): ToolError {
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `The total is now ${now.amount} ${now.currency} instead of ${approved.amount} ${approved.currency}. Nothing has been booked. Book again to see the new total and decide about it.`,
    { effect: 'none', details: { source_code: 'price_changed', approved, now } },
  )
}

/** The stay cannot be had for these dates and guests, or does not exist. */
export function listingUnavailable(listingId: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `The stay "${listingId}" is not available for these dates and guests. Search again for others.`,
    { effect: 'none', details: { source_code: 'listing_unavailable' } },
  )
}

/** A provider that only searches, such as a mounted MCP server. */
export function notBookable(listingId: string, url: string | undefined): ToolError {
  const where = url === undefined ? 'at its provider' : `at ${url}`
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `The stay "${listingId}" cannot be booked here, and nothing has been booked. The person can book it ${where}.`,
    {
      effect: 'none',
      details: { source_code: 'not_bookable', ...(url === undefined ? {} : { url }) },
    },
  )
}

/** A booking that does not exist, or belongs to another person: the caller cannot tell which. */
export function bookingNotFound(reference: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `You have no booking "${reference}". travel.listBookings lists those that you have.`,
    { effect: 'none', details: { source_code: 'booking_not_found' } },
  )
}

/** The provider demands the data of the guest, which the order does not have. */
export function guestRequired(): ToolError {
  return new ToolError(
    'TOOL_MISSING_REQUIRED_FIELD',
    'The provider needs the name, e-mail address and phone number of the guest, and nothing has been booked. Ask the person, and book again with `guest`.',
    { effect: 'none', details: { source_code: 'guest_required' } },
  )
}
