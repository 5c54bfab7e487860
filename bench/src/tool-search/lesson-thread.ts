import { parentPort } from 'node:worker_threads'
import { readAsked, readLessons, readTools } from './lessons.ts'

// Lessons of a search that has forgotten words: see forget-words.ts, which is preloaded.
parentPort?.postMessage(readLessons(readTools(), readAsked()))
