export { canonicalUrl } from './canonical-url.ts'
export {
  type CrawledPage,
  type CrawlOptions,
  type CrawlProgress,
  type CrawlResult,
  crawlSite,
  type SkippedPage,
} from './crawl-site.ts'
export type { Fetch } from './fetch-text.ts'
export { type FetchWebPageOptions, fetchWebPage, requireAllowed } from './fetch-web-page.ts'
export type { Trap } from './find-traps.ts'
export { readPage, type WebPage } from './read-page.ts'
export { type Robots, readRobots } from './robots.ts'
export { readSitemap, type Sitemap, type SitemapEntry } from './sitemap.ts'
export { markUntrusted, removeInvisible } from './untrusted-text.ts'
