export type OEmbedProvider = {
  readonly provider_name: string
  readonly endpoints: readonly { readonly schemes?: readonly string[]; readonly url: string }[]
}

/** The public list of oEmbed providers, loaded on first use. */
export async function loadOEmbedProviders(): Promise<readonly OEmbedProvider[]> {
  const { default: list } = await import('oembed-providers/providers.json', {
    with: { type: 'json' },
  })
  // The cast: the package has no types for its list.
  return list as readonly OEmbedProvider[]
}
