import { openVendorAccess, type VendorAccess } from '@surehand/vendors'

type Given = Parameters<typeof openVendorAccess>[0]

/** OpenAI where its key is set; what searches and what reads replies use the same key. */
export function openAiAccess(given: Given): VendorAccess | undefined {
  return openVendorAccess(given, {
    secret: 'OPENAI_API_KEY',
    setting: 'OPENAI_BASE_URL',
    defaultUrl: 'https://api.openai.com/v1',
  })
}

/** Gemini where its key is set. */
export function geminiAccess(given: Given): VendorAccess | undefined {
  return openVendorAccess(given, {
    secret: 'GEMINI_API_KEY',
    setting: 'GEMINI_URL',
    defaultUrl: 'https://generativelanguage.googleapis.com',
  })
}
