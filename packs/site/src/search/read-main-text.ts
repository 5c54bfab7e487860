import { Parser } from 'htmlparser2'

/** What the index needs of a page. */
export type MainText = {
  readonly title: string
  readonly description: string
  readonly language: string
  /** The text of `main`, or of the body without navigation where there is none. */
  readonly text: string
  /** False where the page asks not to be indexed. */
  readonly isIndexable: boolean
}

const LEFT_OUT = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'nav',
  'footer',
  'iframe',
  'select',
  'dialog',
])
const MOST_CHARACTERS = 20_000

/**
 * Reads a page for the index without building a tree: a site may have ten thousand, and a tree
 * with its main text takes thirty times as long.
 */
export function readMainText(html: string): MainText {
  const head = { title: '', description: '', language: '', isIndexable: true }
  const texts = { main: '', body: '' }
  let inTitle = false
  let leftOut = 0
  let inMain = 0

  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'html') head.language = attributes.lang ?? ''
      if (tag === 'title') inTitle = head.title === ''
      if (tag === 'meta' && attributes.name === 'description')
        head.description = attributes.content ?? ''
      if (
        tag === 'meta' &&
        attributes.name === 'robots' &&
        /noindex/i.test(attributes.content ?? '')
      )
        head.isIndexable = false
      if (LEFT_OUT.has(tag) || attributes['aria-hidden'] === 'true' || 'hidden' in attributes)
        leftOut++
      else if (leftOut > 0) leftOut++
      if (tag === 'main' || attributes.role === 'main' || inMain > 0) inMain++
    },
    ontext(text) {
      if (inTitle) head.title += text
      if (inTitle || leftOut > 0) return
      const place = inMain > 0 ? 'main' : 'body'
      if (texts[place].length < MOST_CHARACTERS) texts[place] += text
    },
    onclosetag(tag) {
      if (tag === 'title') inTitle = false
      if (leftOut > 0) leftOut--
      if (inMain > 0) inMain--
      // Words of neighbouring elements are not one word.
      texts.main += texts.main.endsWith(' ') ? '' : ' '
      texts.body += texts.body.endsWith(' ') ? '' : ' '
    },
  })
  parser.end(html)
  const text = texts.main.trim() === '' ? texts.body : texts.main
  return { ...head, title: head.title.trim(), text: text.replaceAll(/\s+/g, ' ').trim() }
}
