import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The repository. */
export const ROOT = join(import.meta.dirname, '../..')

/**
 * Tracked Markdown pages, and new ones that are not ignored. A page that was deleted but not
 * committed is left out.
 */
export function listPages(): string[] {
  const parameters = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md']
  const listed = execFileSync('git', parameters, { cwd: ROOT, encoding: 'utf8' })
  return [...new Set(listed.split('\0'))].filter(
    (page) => page !== '' && existsSync(join(ROOT, page)),
  )
}

/** A fenced block of code. */
export type CodeBlock = {
  readonly page: string
  /** The line of its opening fence, counted from 1. */
  readonly line: number
  /** Its language, or an empty text. */
  readonly language: string
  readonly code: string
  /** The text of a comment `<!-- compile: … -->` right before it, which readers do not see. */
  readonly setup: string | undefined
}

const BLOCK =
  /(?:^<!-- compile:(?<setup>(?:(?!-->)[\s\S])*)-->\n)?^(?<indent> *)(?<fence>`{3,})(?<language>\S*)[^\n]*\n(?<code>[\s\S]*?)^\k<indent>\k<fence>/gm

export function findBlocks(page: string, markdown: string): CodeBlock[] {
  return [...markdown.matchAll(BLOCK)].map(({ groups, index, 0: whole }) => {
    const before = markdown.slice(0, index + whole.indexOf('```'))
    return {
      page,
      line: before.split('\n').length,
      language: groups?.language ?? '',
      code: (groups?.code ?? '').replaceAll(new RegExp(`^${groups?.indent ?? ''}`, 'gm'), ''),
      setup: groups?.setup?.trim(),
    }
  })
}

/** Changes what is outside of fenced blocks. */
export function mapText(markdown: string, change: (text: string) => string): string {
  const fenced = [...markdown.matchAll(/^( *)(`{3,})[\s\S]*?^\1\2[^\n]*$/gm)]
  let end = 0
  const parts = fenced.flatMap(({ index, 0: block }) => {
    const before = markdown.slice(end, index)
    end = index + block.length
    return [change(before), block]
  })
  return [...parts, change(markdown.slice(end))].join('')
}

/** Changes prose: fenced blocks and code in a line stay as they are. */
export function mapProse(markdown: string, change: (prose: string) => string): string {
  return mapText(markdown, (text) =>
    text
      .split(/(`[^`\n]*`)/)
      .map((part, index) => (index % 2 === 1 ? part : change(part)))
      .join(''),
  )
}

/** The targets of inline links and pictures; examples in code are not links. */
export function findLinks(markdown: string): string[] {
  const targets: string[] = []
  mapProse(markdown, (prose) => {
    for (const [, target = ''] of prose.matchAll(LINK)) targets.push(target)
    return prose
  })
  return targets
}
const LINK = /\]\(<?([^()\s>]+)>?(?:\s+"[^"]*")?\)/g

/** The id that GitHub, and our site, gives to a heading. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

/** The ids of the headings of a page. */
export function findAnchors(markdown: string): Set<string> {
  const anchors = new Set<string>()
  mapText(markdown, (text) => {
    for (const [, heading = ''] of text.matchAll(/^#{1,6} +(.+)$/gm))
      anchors.add(anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')))
    return text
  })
  return anchors
}
