import { findPlaces } from './find-place.ts'
import { sourceText } from './source-text.ts'
import { nameAt } from './phrase.ts'
const t = "Save the date: Maria & Tom's Wedding, June 12 2027, 2pm, St. Mary's Church"
const s = sourceText(t)
console.log(findPlaces(s, []), nameAt(s, t.indexOf('St.'), []))
