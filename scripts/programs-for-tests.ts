import type { TestProject } from 'vitest/node'
import {
  findChromium,
  findHeadless,
  findNginx,
  findOpenssl,
  findRadicale,
  findRedis,
} from './needs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The program's path; empty when it is not installed. */
    chromium: string
    /** With what Chromium has around a page: notifications, installing, WebMCP. */
    wholeChromium: string
    nginx: string
    openssl: string
    radicale: string
    redis: string
  }
}

/** Gives the tests the paths of the programs that the gate found or installed. */
export function setup(project: TestProject): void {
  project.provide('chromium', findHeadless() ?? '')
  project.provide('wholeChromium', findChromium() ?? '')
  project.provide('nginx', findNginx() ?? '')
  project.provide('openssl', findOpenssl() ?? '')
  project.provide('radicale', findRadicale() ?? '')
  project.provide('redis', findRedis() ?? '')
}
