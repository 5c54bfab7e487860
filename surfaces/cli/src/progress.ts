import type { Progress } from '@surehand/core/host'
import { safeLine } from './safe-text.ts'
import { screenWidth, type Terminal } from './terminal.ts'
import { truncate } from './text-width.ts'

const BAR_COLUMNS = 24

export type ProgressView = { readonly show: (progress: Progress) => void; readonly end: () => void }

/** Shows progress: a bar that is redrawn in place on a terminal, one line per report elsewhere. */
export function progressOn({ stderr }: Terminal, how: 'bar' | 'lines'): ProgressView {
  const isBar = how === 'bar' && stderr.isTTY === true
  let isDrawn = false
  return {
    show({ fraction, message }) {
      const words = [
        fraction === undefined ? '' : percent(fraction),
        message === undefined ? '' : safeLine(message),
      ]
      const text = words.filter((word) => word !== '').join('  ')
      if (text === '') return
      if (!isBar) {
        stderr.write(`${text}\n`)
        return
      }
      const drawn = fraction === undefined ? text : `${bar(fraction)} ${text}`
      stderr.write(`\r\u001b[K${truncate(drawn, screenWidth(stderr) - 1)}`)
      isDrawn = true
    },
    end() {
      if (isDrawn) stderr.write('\r\u001b[K')
      isDrawn = false
    },
  }
}

function bar(fraction: number): string {
  const full = Math.round(within(fraction) * BAR_COLUMNS)
  return `[${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)}]`
}

function percent(fraction: number): string {
  return `${Math.round(within(fraction) * 100)} %`
}

function within(fraction: number): number {
  return Math.min(1, Math.max(0, Number.isNaN(fraction) ? 0 : fraction))
}
