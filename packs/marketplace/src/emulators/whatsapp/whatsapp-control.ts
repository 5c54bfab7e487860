import type { Phone } from './record.ts'
import type { SettingsPatch } from './settings.ts'

/** The controls of an emulator in another process. */
export type WhatsAppControl = {
  /** Returns whether any of them is new. */
  readonly addPhones: (phones: readonly Phone[]) => Promise<boolean>
  readonly configure: (patch: SettingsPatch) => Promise<void>
  /** A person writes a message. */
  readonly write: (phone: string, text: string) => Promise<void>
}

export function whatsAppControl(url: string): WhatsAppControl {
  const post = async (path: string, body: unknown): Promise<Response> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok)
      throw new Error(`The emulator of WhatsApp answered ${response.status} to ${path}.`)
    return response
  }
  return {
    async addPhones(phones) {
      const { added } = (await (await post('/phones', phones)).json()) as { readonly added: number }
      return added > 0
    },
    async configure(patch) {
      await post('/phones/settings', patch)
    },
    async write(phone, text) {
      await post(`/phones/${phone}/actions`, { type: 'text', text })
    },
  }
}
