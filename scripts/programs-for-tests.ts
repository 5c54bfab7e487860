import type { TestProject } from 'vitest/node'
import { findChromium, findNginx, findOpenssl, findRadicale } from './needs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a program is; empty where there is none. */
    chromium: string
    nginx: string
    openssl: string
    radicale: string
  }
}

/** Tells the tests where the programs are that the gate looked for, or brought. */
export function setup(project: TestProject): void {
  project.provide('chromium', findChromium() ?? '')
  project.provide('nginx', findNginx() ?? '')
  project.provide('openssl', findOpenssl() ?? '')
  project.provide('radicale', findRadicale() ?? '')
}
