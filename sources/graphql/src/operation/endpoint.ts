import { refuseDocument } from '../schema/bounds.ts'

/** The address of a server: everything is sent there and nowhere else. */
export function endpointOf(text: string): string {
  if (!URL.canParse(text)) throw refuseDocument('its endpoint is no address')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuseDocument('its endpoint is neither https nor http')
  if (url.username !== '' || url.password !== '')
    throw refuseDocument('its endpoint holds a credential: hand it in as one')
  url.hash = ''
  return url.href
}
