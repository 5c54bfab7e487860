import type { PackGiven, PackNeeds } from '@surehand/core/host'
import { localEmbeddings } from '@surehand/discovery'
import type { SiteContracts } from '../contract/site-contract.ts'
import { indexedSearch } from '../search/providers/indexed-search.ts'
import { sessionHub } from '../session/session-hub.ts'
import { readSite, sumSpend } from '../session/site-data.ts'
import { chooseBooking, chooseCommerce } from './choose-commerce.ts'
import { siteCrawler } from './site-crawler.ts'
import { storedReports } from './stored-reports.ts'
import { storedTranscripts } from './stored-transcripts.ts'
import { webInspector } from './web-inspector.ts'
import { webSiteReader } from './web-site-reader.ts'
import { widgetPage } from './widget-page.ts'

const PAGE_BYTES = 5_000_000

export const SITE_NEEDS = {
  secrets: {
    OPENAI_API_KEY: { for: 'a model that answers visitors', optional: true },
  },
  settings: {
    SITE_MODEL: { for: 'the model that answers visitors; without it, rules do' },
    OPENAI_BASE_URL: { for: 'another API that is compatible with OpenAI' },
    SITE_SHOP_URL: {
      for: 'the address of a site in a private network, such as the demo shop',
    },
    SITE_EMBEDDINGS: {
      for: 'search by meaning: "off" searches by words alone, also where the model is installed',
    },
  },
  hosts: ['api.openai.com'],
} satisfies PackNeeds

/** The providers of the pack: what the contract of a tenant's site names, and our own tables. */
export function chooseProviders(given: PackGiven): Readonly<Record<string, object>> {
  const trusted = given.setting('SITE_SHOP_URL')
  const fetchFor = (tenant: string) =>
    given.fetch({ tenant, maxBytes: PAGE_BYTES, ...(trusted === undefined ? {} : { trusted }) })
  const reader = webSiteReader(fetchFor)
  const embeddings = given.setting('SITE_EMBEDDINGS') === 'off' ? undefined : localEmbeddings()
  return {
    pageBridge: widgetPage(sessionHub(given)),
    siteContracts: storedSites(given),
    commerce: chooseCommerce(given),
    bookingCalendar: chooseBooking(given),
    siteReports: storedReports(given),
    visitorRecords: storedTranscripts(given),
    siteReader: reader,
    siteInspector: webInspector(fetchFor, reader),
    siteCrawler: siteCrawler({ given, reader, fetchFor, embeddings }),
    siteSearch: indexedSearch({ query: given.query, fetchFor, embeddings }),
  }
}

/** The contracts of sites and the spending of visitors, in our own tables. */
function storedSites({ query }: Pick<PackGiven, 'query'>): SiteContracts {
  return {
    read: ({ tenant }) => readSite(query, tenant),
    spent: (request) => sumSpend(query, request),
  }
}
