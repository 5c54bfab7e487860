import { writeFileSync } from 'node:fs'
import { renderDocument001 } from './document-001.ts'

writeFileSync(new URL('../../../docs/events-conformance.md', import.meta.url), renderDocument001())
