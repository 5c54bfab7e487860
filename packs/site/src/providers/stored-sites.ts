import type { PackGiven } from '@surehand/core/host'
import type { SiteContracts } from '../contract/site-contract.ts'
import { readSite, sumSpend } from '../session/site-data.ts'

/** The contracts of sites and the spending of visitors, in our own tables. */
export function storedSites({ query }: Pick<PackGiven, 'query'>): SiteContracts {
  return {
    read: ({ tenant }) => readSite(query, tenant),
    spent: (request) => sumSpend(query, request),
  }
}
