import { escapeHtml } from '../flyers/markup.ts'
import type { PageLayout, PageSource } from './page.ts'
import { breadcrumbs, dates, schemaEvent } from './schema-event.ts'
import { article, meta, page } from './skeleton.ts'

export const PAGE_LAYOUTS: readonly PageLayout[] = [
  { name: 'json-ld', isStructured: true, write: jsonLd },
  { name: 'open-graph', isStructured: false, write: openGraph },
  { name: 'microdata', isStructured: true, write: microdata },
  { name: 'plain', isStructured: false, write: plain },
  { name: 'oembed', isStructured: false, write: oEmbed },
  { name: 'json-ld-graph', isStructured: true, write: jsonLdGraph },
  { name: 'details', isStructured: false, write: details },
]

type WrittenPage = ReturnType<PageLayout['write']>

function jsonLd(source: PageSource): WrittenPage {
  const event = { '@context': 'https://schema.org', ...schemaEvent(source.facts, source.random) }
  const head = `${pageTitle(source)}\n<script type="application/ld+json">${JSON.stringify(event)}</script>`
  return {
    html: page(source, {
      head,
      main: `<h1>${escapeHtml(source.shown.title)}</h1>\n<p>${escapeHtml(source.facts.tagline)}</p>`,
    }),
  }
}

function jsonLdGraph(source: PageSource): WrittenPage {
  const { facts, site, url, random } = source
  const graph = [
    { '@type': 'WebSite', name: site, url: new URL('/', url).href },
    breadcrumbs(facts, random),
    { ...schemaEvent(facts, random), url },
    { '@type': 'Organization', name: facts.presenter, foundingDate: '1987-05-01' },
  ]
  const head = `${pageTitle(source)}\n<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })}</script>`
  return { html: page(source, { head, main: article(source) }) }
}

function openGraph(source: PageSource): WrittenPage {
  const { shown, site, url } = source
  const said = [
    [shown.dayLine, shown.timeLine].filter(Boolean).join(', '),
    `${shown.venue}, ${shown.address}`,
    shown.priceLine,
  ]
  const head = [
    pageTitle(source),
    meta('og:type', 'website'),
    meta('og:title', shown.title),
    meta('og:description', said.filter(Boolean).join(' · ')),
    meta('og:site_name', site),
    meta('og:url', url),
    meta('og:image', new URL('/cover.jpg', url).href),
  ]
  return {
    html: page(source, {
      head: head.join('\n'),
      main: `<h1>${escapeHtml(shown.title)}</h1>\n<div id="app"></div>`,
    }),
  }
}

/** As on video and photo sites: the title in oEmbed, the rest in the description. */
function oEmbed(source: PageSource): WrittenPage {
  const { shown, site, url, facts } = source
  const endpoint = `${new URL('/oembed', url).href}?format=json&amp;url=${encodeURIComponent(url)}`
  const description = [
    shown.tagline,
    [shown.dayLine, shown.timeLine].filter(Boolean).join(', '),
    `${shown.venue}, ${shown.address}`,
    shown.priceLine,
  ]
  const head = [
    `<title>${escapeHtml(site)}</title>`,
    `<link rel="alternate" type="application/json+oembed" href="${endpoint}" title="${escapeHtml(shown.title)}">`,
    `<meta name="description" content="${escapeHtml(description.filter(Boolean).join('. '))}">`,
  ]
  return {
    html: page(source, { head: head.join('\n'), main: '<div id="player"></div>' }),
    oEmbed: {
      type: 'rich',
      version: '1.0',
      title: shown.title,
      author_name: facts.presenter,
      provider_name: site,
      html: `<blockquote>${escapeHtml(description.filter(Boolean).join('. '))}</blockquote>`,
      width: 640,
      height: 360,
    },
  }
}

function microdata(source: PageSource): WrittenPage {
  const { facts, shown } = source
  const { startDate, endDate } = dates(facts, 'offset')
  const { venue, address, price } = facts
  const main = `<div itemscope itemtype="https://schema.org/Event">
<h1 itemprop="name">${escapeHtml(shown.title)}</h1>
<p itemprop="description">${escapeHtml(facts.tagline)}</p>
<p><time itemprop="startDate" datetime="${startDate}">${escapeHtml([shown.dayLine, shown.timeLine].filter(Boolean).join(', '))}</time>
${endDate ? `<meta itemprop="endDate" content="${endDate}">` : ''}</p>
<div itemprop="location" itemscope itemtype="https://schema.org/Place"><span itemprop="name">${escapeHtml(venue.name)}</span>, <span itemprop="address">${escapeHtml(address)}</span></div>
${price ? `<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="${price.amount}"><meta itemprop="priceCurrency" content="${price.currency}">${escapeHtml(shown.priceLine ?? '')}</div>` : ''}
</div>`
  return { html: page(source, { head: pageTitle(source), main }) }
}

function plain(source: PageSource): WrittenPage {
  return { html: page(source, { head: pageTitle(source), main: article(source) }) }
}

function details(source: PageSource): WrittenPage {
  const { shown } = source
  const row = (label: string, text: string | undefined): string =>
    text ? `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(text)}</dd>` : ''
  const main = `<h1>${escapeHtml(shown.title)}</h1>
${shown.presenter ? `<p>${escapeHtml(shown.presenter)}</p>` : ''}
<dl>
${row(shown.labels.when, [shown.dayLine, shown.timeLine].filter(Boolean).join(', '))}
${row(shown.labels.where, `${shown.venue}, ${shown.address}`)}
${row(shown.labels.admission, shown.priceLine)}
</dl>`
  return { html: page(source, { head: pageTitle(source), main }) }
}

function pageTitle({ shown, site, random }: PageSource): string {
  return `<title>${escapeHtml(`${shown.title} ${random.pick(['|', '–', '·'])} ${site}`)}</title>`
}
