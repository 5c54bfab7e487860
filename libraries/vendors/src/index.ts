export { asServiceError, type Fetch, type JsonRequest, sendJson } from './send-json.ts'
export { openVendorAccess, type VendorAccess, type VendorNames } from './vendor-access.ts'
