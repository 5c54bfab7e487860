import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const sidebar = JSON.parse(readFileSync(new URL('../.pages/sidebar.json', import.meta.url), 'utf8'))

/** As GitHub makes the ids of headings, so that links work in both places. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

export default defineConfig({
  title: 'Surehand',
  description: 'The runtime that gives AI agents tools they can be trusted with',
  lang: 'en',
  srcDir: '.pages',
  outDir: 'dist',
  cleanUrls: true,
  // No page has HTML of its own: what looks like a tag is text.
  markdown: {
    html: false,
    // Their colours have enough contrast for everybody.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // A path such as /v1/tools/{id} in a heading is no list of attributes.
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    config(md) {
      // A drawing scrolls on a narrow screen, also by keyboard, as tables do.
      const showImage = md.renderer.rules.image
      md.renderer.rules.image = (tokens, index, ...others) => {
        const image = showImage?.(tokens, index, ...others) ?? ''
        const isDrawing = tokens[index]?.attrGet('src')?.endsWith('.svg') === true
        return isDrawing ? `<span class="drawing" tabindex="0">${image}</span>` : image
      }
      // Braces in code are no templates.
      md.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[index]?.content ?? '')}</code>`
    },
  },
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guides', link: '/guides/connect' },
      { text: 'Tools', link: '/tools/personal/' },
      { text: 'Reference', link: '/errors' },
    ],
    footer: { message: 'Apache-2.0' },
  },
})
