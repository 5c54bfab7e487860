/** A page of text: an article of the journal or a page of help. */
export type Article = {
  readonly slug: string
  readonly title: string
  readonly summary: string
  readonly language: 'en' | 'de'
  /** YYYY-MM-DD. */
  readonly published: string
  readonly updated: string
  readonly author: string
  /** The product or category that its picture shows. */
  readonly picture: string
  /** Paragraphs; `## ` begins a heading, `- ` an item of a list. */
  readonly body: readonly string[]
}
