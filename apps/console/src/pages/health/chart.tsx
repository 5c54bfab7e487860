import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export type Tone = 'good' | 'bad' | 'warn' | 'ink'

export type ChartLine = {
  readonly name: string
  readonly tone: Tone
  readonly values: readonly (number | null)[]
}

type ChartProps = {
  readonly title: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly lines: readonly ChartLine[]
}

const HEIGHT = 220

/** Lines over time. Its canvas says what it shows; the numbers belong beside it as a table. */
export function Chart({ title, times, lines }: ChartProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  const isDark = useDarkScheme()
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const plot = new uPlot(
      optionsOf(element, lines, isDark),
      [[...times], ...lines.map(({ values }) => [...values])],
      element,
    )
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    )
    resized.observe(element)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [times, lines, isDark])
  const most = (values: ChartLine['values']): number =>
    Math.round(Math.max(0, ...values.map((value) => value ?? 0)))
  const summary = lines.map(({ name, values }) => `${name} up to ${most(values)}`).join(', ')
  return (
    <section>
      <h2>{title}</h2>
      <div ref={frame} className="chart" role="img" aria-label={`${title}: ${summary}`} />
    </section>
  )
}

function optionsOf(element: Element, lines: readonly ChartLine[], isDark: boolean): uPlot.Options {
  // A canvas knows no variables of the style, and no light-dark().
  const colors = isDark
    ? { good: '#7fd19b', bad: '#ff9aa4', warn: '#f0c37a', ink: '#ecebe6', line: '#3a3b3e' }
    : { good: '#0b5d2a', bad: '#a8001e', warn: '#7a4a00', ink: '#1c1c1a', line: '#dad8d1' }
  const axis = { stroke: colors.ink, grid: { stroke: colors.line }, ticks: { stroke: colors.line } }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    axes: [axis, axis],
    scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
    series: [
      {},
      ...lines.map(({ name, tone }) => ({
        label: name,
        stroke: colors[tone],
        width: 2,
        points: { show: true, size: 5 },
      })),
    ],
  }
}

const DARK = '(prefers-color-scheme: dark)'

/** Whether dark colours are shown: the reader's choice, else the system's. */
function useDarkScheme(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(DARK)
      const chosen = new MutationObserver(onChange)
      query.addEventListener('change', onChange)
      chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
      return () => {
        query.removeEventListener('change', onChange)
        chosen.disconnect()
      }
    },
    () => {
      const { theme } = document.documentElement.dataset
      return theme === undefined ? matchMedia(DARK).matches : theme === 'dark'
    },
  )
}
