export type OEmbedProvider = {
  readonly provider_name: string
  readonly endpoints: readonly { readonly schemes?: readonly string[]; readonly url: string }[]
}

/** The public list of who speaks oEmbed, read when it is first wanted. */
export async function oEmbedList(): Promise<readonly OEmbedProvider[]> {
  const { default: list } = await import('oembed-providers/providers.json', {
    with: { type: 'json' },
  })
  // erased: the list's own schema, which its package does not type
  return list as readonly OEmbedProvider[]
}
