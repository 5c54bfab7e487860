import type { Tool } from '@surehand/core'
import { mapsPlacesItems } from './maps-places-items.ts'
import { socialProfileItems } from './social-profile-items.ts'
import { webSearchItems } from './web-search-items.ts'

/** The tools of discovery without those that are transactions. */
export const discoveryTools: readonly Tool[] = [webSearchItems, mapsPlacesItems, socialProfileItems]
