import fc from 'fast-check'

export const CLIENTS = ['250788555001', '250722444002'] as const
export const VENDOR_IDS = ['ven_1', 'ven_2', 'ven_3', 'ven_4'] as const
export const POST = 'post-1'

export function phoneOf(vendorId: string): string {
  return `250788100${vendorId.replaceAll(/\D/g, '').padStart(3, '0')}`
}

/** One thing that happens in a market; `nodes`: on how many nodes at once. */
export type Happening =
  | ({ readonly nodes: number } & (
      | { readonly kind: 'client'; readonly who: number; readonly text: string }
      | {
          readonly kind: 'vendor'
          readonly who: number
          readonly text: string
          readonly quotes: boolean
        }
      | { readonly kind: 'repeat'; readonly back: number }
      | {
          readonly kind: 'state'
          readonly back: number
          readonly status: 'sent' | 'delivered' | 'read' | 'failed'
        }
      | { readonly kind: 'wait'; readonly minutes: number }
      | { readonly kind: 'agent'; readonly who: number; readonly text: string }
      | { readonly kind: 'call'; readonly key: string }
      | {
          readonly kind: 'discover'
          readonly tool: 'web_search_items' | 'social_profile_items' | 'maps_places_items'
          readonly engine: 'openai' | 'gemini' | 'auto'
          readonly need: string
        }
    ))
  | { readonly kind: 'fault'; readonly fault: 'refused' | 'busy' | 'lost' }
  /** The process dies while it acts on the next event; another one goes on with it. */
  | { readonly kind: 'crash'; readonly after: number }

const clientText = fc.constantFrom(
  'Hello, I need amoxicillin 500 mg near Kimironko',
  'Nkeneye paracetamol hafi ya Remera, mumpamagare kuri 0788555001',
  'je cherche insuline près de Kimironko, mon numéro est +250 722 444 002',
  'I need ibuprofen',
  'behind the stadium of Huye, my number is 0722 444 002',
  'cancel',
  '1',
  'call me',
  'yes',
  'oya',
  'STOP',
  'thanks',
)
const vendorText = fc.constantFrom(
  'Yes, 12k',
  'Ndayifite, 5000',
  'non desole',
  'let me check',
  'STOP',
  'which dose?',
  'Yes 12k, 0788 / 555-001 was here',
  '5000 for +250722444002',
)
const need = fc.constantFrom(
  'amoxicillin 500 mg, call 0788 555 001',
  'insuline, mon numéro est +250 722-444-002',
  'paracetamol (250788555001)',
  'a phone charger near Remera',
)
// Mostly on one node; at times the same on all of them at once.
const nodes = fc.constantFrom(1, 1, 1, 2, 4)

type Weighted = { readonly weight: number; readonly arbitrary: fc.Arbitrary<Happening> }

const choices: readonly Weighted[] = [
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('client'), who: fc.nat(1), text: clientText, nodes }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ kind: fc.constant('vendor'), who: fc.nat(3), text: vendorText, nodes },
      quotes: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat'), back: fc.nat(5), nodes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant('state'), back: fc.nat(5), nodes },
      status: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: fc.constant('wait'), nodes },
      minutes: fc.constantFrom(1, 6, 40, 1_500),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant('agent'), who: fc.nat(3), nodes },
      text: fc.constantFrom('Ask 0788 555 001', 'Do you have it?'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('call'), key: fc.constantFrom('k1', 'k2', 'k3'), nodes },
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: fc.constant('discover'), need, nodes },
      tool: fc.constantFrom('web_search_items', 'social_profile_items', 'maps_places_items'),
      engine: fc.constantFrom('openai', 'gemini', 'auto'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: fc.constant('crash'), after: fc.integer({ min: 1, max: 12 }) },
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ kind: fc.constant('fault'), fault: fc.constantFrom('refused', 'busy', 'lost') },
    }),
  },
]

export const happening: fc.Arbitrary<Happening> = fc.oneof(...choices)
