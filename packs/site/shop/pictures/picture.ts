/** What a drawn picture shows. The same description always gives the same picture. */
export type Picture =
  | {
      readonly kind: 'bouquet'
      readonly flowers: readonly (readonly [Flower, colour: string])[]
      readonly count: number
      readonly holder: 'paper' | 'vase' | 'box' | 'stem'
      readonly tint: Tint
    }
  | {
      readonly kind: 'wreath'
      readonly flowers: readonly (readonly [Flower, colour: string])[]
      readonly tint: Tint
    }
  | {
      readonly kind: 'plant'
      readonly leaf: 'broad' | 'fern' | 'olive' | 'orchid' | 'succulent' | 'herb'
      readonly pot: string
      readonly tint: Tint
    }
  | {
      readonly kind: 'garment'
      readonly cut: Cut
      readonly cloth: string
      readonly pattern: Pattern
      readonly tint: Tint
    }
  | {
      readonly kind: 'object'
      readonly object: SmallObject
      readonly colour: string
      readonly pattern: Pattern
      readonly tint: Tint
    }

export type Flower =
  | 'rose'
  | 'tulip'
  | 'peony'
  | 'daisy'
  | 'sunflower'
  | 'lavender'
  | 'eucalyptus'
  | 'berry'
  | 'grass'

export type Cut =
  | 'shirt'
  | 'blouse'
  | 'jacket'
  | 'waistcoat'
  | 'trousers'
  | 'dress'
  | 'skirt'
  | 'coat'

export type SmallObject =
  | 'tie'
  | 'bow-tie'
  | 'scarf'
  | 'pocket-square'
  | 'sewing-kit'
  | 'scissors'
  | 'buttons'
  | 'candle'
  | 'voucher'
  | 'apron'
  | 'vase'
  | 'ribbon'

export type Pattern = 'plain' | 'stripe' | 'check' | 'dots' | 'floral'

/** The backdrop. */
export type Tint = 'blush' | 'sage' | 'cream' | 'sky' | 'clay' | 'plum'
