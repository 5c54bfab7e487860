import { writeFileSync } from 'node:fs'
import { renderDocument004 } from './document-004.ts'

writeFileSync(
  new URL('../../../docs/personal-conformance.md', import.meta.url),
  renderDocument004(),
)
