import type { Tool } from '@surehand/core'
import { noteAdd } from './note-add.ts'
import { noteLink } from './note-link.ts'
import { noteSearch } from './note-search.ts'

export const knowledgeTools: readonly Tool[] = [noteAdd, noteSearch, noteLink]
