import { writeFileSync } from 'node:fs'
import { renderConformance } from './document-conformance.ts'

writeFileSync(new URL('../../../docs/travel-conformance.md', import.meta.url), renderConformance())
