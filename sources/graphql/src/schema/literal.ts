/** A constant value of the GraphQL language. */
export type Literal =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'enum'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Literal[] }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, Literal])[] }
