import { findProduct } from '../catalog/catalog.ts'
import type { Article } from '../content/article.ts'
import { HELP } from '../content/help.ts'
import { JOURNAL } from '../content/journal.ts'
import { notFound } from '../refusal.ts'
import { type Html, html } from '../web/html.ts'
import type { Visit } from '../web/route.ts'
import { renderPage } from './layout.ts'
import { breadcrumbData, breadcrumbs, formatDate } from './parts.ts'

export function journalPage(visit: Visit): Response {
  const main = html`<div class="wrap"><header class="page-head"><h1>Journal</h1><p class="lead">About flowers, cloth, and what they have in common.</p></header>
<ul class="stories">${JOURNAL.map(
    ({ slug, title, summary, published, picture, language }) =>
      html`<li><img src="/images/${pictureOf(picture)}.svg" alt="" width="600" height="720" loading="lazy"><div><p class="small"><time datetime="${published}">${formatDate(published)}</time></p><h2 lang="${language}"><a href="/journal/${slug}" hreflang="${language}" data-action="article.open">${title}</a></h2><p lang="${language}">${summary}</p></div></li>`,
  )}</ul></div>`
  return renderPage(visit, {
    title: 'Journal',
    description: 'About flowers, cloth, and what they have in common.',
    main,
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': 'Blog',
        name: 'Journal',
        url: `${visit.shop.origin}/journal`,
      },
    ],
  })
}

export function helpPage(visit: Visit): Response {
  const main = html`<div class="wrap"><header class="page-head"><h1>Help</h1><p class="lead">Short answers. For everything else, <a href="/contact" data-action="nav.open">write to us</a>.</p></header>
<ul class="rooms three">${HELP.map(
    ({ slug, title, summary }) =>
      html`<li><a href="/help/${slug}" data-action="article.open"><span class="rooms-name">${title}</span><span class="rooms-what">${summary}</span></a></li>`,
  )}</ul></div>`
  return renderPage(visit, {
    title: 'Help',
    description: 'Delivery, returns, sizes, payment.',
    main,
  })
}

export function articlePage(visit: Visit, folder: 'journal' | 'help'): Response {
  const articles = folder === 'journal' ? JOURNAL : HELP
  const article = articles.find(({ slug }) => slug === visit.params.slug)
  if (article === undefined) throw notFound('This page')
  const { slug, title, summary, author, published, updated, language, picture } = article
  const steps = [
    ['/', 'Home'],
    [`/${folder}`, folder === 'journal' ? 'Journal' : 'Help'],
    [`/${folder}/${slug}`, title],
  ] as const
  const byline =
    folder === 'journal' &&
    html`<p class="small">${author}, <time datetime="${published}">${formatDate(published)}</time></p>`
  const main = html`<div class="wrap">${breadcrumbs(steps)}<article class="story" lang="${language}"><header><h1>${title}</h1><p class="lead">${summary}</p>${byline}</header>
${folder === 'journal' && html`<img class="story-picture" src="/images/${pictureOf(picture)}.svg" alt="" width="600" height="720">`}
<div class="prose">${renderBody(article)}</div></article></div>`
  return renderPage(visit, {
    title,
    description: summary,
    main,
    language,
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': folder === 'journal' ? 'BlogPosting' : 'TechArticle',
        headline: title,
        description: summary,
        inLanguage: language,
        datePublished: published,
        dateModified: updated,
        author: { '@type': 'Person', name: author },
        url: `${visit.shop.origin}/${folder}/${slug}`,
      },
      breadcrumbData(visit.shop.origin, steps),
    ],
  })
}

function pictureOf(id: string): string {
  return findProduct(id)?.id ?? 'red-roses'
}

function renderBody({ body }: Article): readonly Html[] {
  const blocks: Html[] = []
  let items: Html[] = []
  const endList = () => {
    if (items.length > 0) blocks.push(html`<ul>${items}</ul>`)
    items = []
  }
  for (const block of body) {
    if (block.startsWith('- ')) {
      items.push(html`<li>${block.slice(2)}</li>`)
      continue
    }
    endList()
    blocks.push(block.startsWith('## ') ? html`<h2>${block.slice(3)}</h2>` : html`<p>${block}</p>`)
  }
  endList()
  return blocks
}
