import { z } from 'zod'

/** The address of a page. Where it may lead is decided by egress, when it is fetched. */
export const PageUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with http or https' })
  .max(2_048)
