import { escapeHtml } from './html.ts'

export type MapPoint = {
  readonly lat: number
  readonly lon: number
  readonly label: string
  readonly kind: 'destination' | 'airport' | 'stay' | 'activity'
}

/** A town that is drawn so that people see where they are. */
export type MapTown = { readonly name: string; readonly lat: number; readonly lon: number }

export type MapArea = {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

export type MapOptions = {
  readonly towns: readonly MapTown[]
  /** Draws a line through the points, in their order. */
  readonly isRoute: boolean
  /** What a screen reader says. */
  readonly title: string
}

const WIDTH = 720
const HEIGHT = 440
const MARGIN = 48
/** About three kilometres: a single point needs some surroundings. */
const MIN_SPAN_DEGREES = 0.03
const LABEL_HEIGHT = 14
/** For a character of the wider system fonts. */
const LABEL_WIDTH = { point: 7, town: 5.8 }
const COLOURS = { destination: '#1d4ed8', airport: '#475569', stay: '#b91c1c', activity: '#15803d' }

/** The area that a map of these points shows; undefined where there are none. */
export function mapArea(points: readonly MapPoint[]): MapArea | undefined {
  if (points.length === 0) return undefined
  const lats = points.map(({ lat }) => lat)
  const lons = points.map(({ lon }) => lon)
  const [south, north] = widen(Math.min(...lats), Math.max(...lats))
  const [west, east] = widen(Math.min(...lons), Math.max(...lons))
  return { south: Math.max(-85, south), north: Math.min(85, north), west, east }
}

function widen(low: number, high: number): readonly [number, number] {
  const padding = Math.max((high - low) * 0.15, (MIN_SPAN_DEGREES - (high - low)) / 2)
  return [low - padding, high + padding]
}

/** Draws points on a map as SVG, from coordinates alone: towns, a grid and a scale, no tiles. */
export function drawMap(points: readonly MapPoint[], options: MapOptions): string {
  const area = mapArea(points)
  if (area === undefined) return ''
  const project = createProjection(area)
  const placed = points.map((point) => ({ ...point, ...project(point) }))
  const free = createLabelSpace()
  const markers = placed.map(({ x, y, kind, label }, index) => {
    free.take({ x: x - 10, y: y - 10, width: 20, height: 20 })
    return `<g><title>${escapeHtml(label)}</title><circle cx="${x}" cy="${y}" r="10" fill="${COLOURS[kind]}"/><text x="${x}" y="${y + 4}" class="number">${index + 1}</text></g>`
  })
  const labels = placed.flatMap(({ x, y, label }) => drawLabel(free, { x: x + 14, y, label }))
  const towns = options.towns.flatMap((town) => {
    const { x, y } = project(town)
    const label = drawLabel(free, { x: x + 5, y, label: town.name, kind: 'town' })
    return label.length === 0 ? [] : [`<circle cx="${x}" cy="${y}" r="2" class="town"/>`, ...label]
  })
  const route = placed.map(({ x, y }) => `${x},${y}`).join(' ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(options.title)}" class="map">`,
    `<style>.map text{font:12px system-ui,sans-serif;fill:#0f172a;stroke:#f8fafc;stroke-width:3px;paint-order:stroke}.map .number{fill:#fff;stroke:none;text-anchor:middle;font-weight:600}.map .town{fill:#94a3b8}.map text.town{fill:#64748b;font-size:10px}.map .grid{stroke:#cbd5e1;stroke-width:.5}.map text.grid{fill:#64748b;stroke:none;font-size:9px}</style>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#f8fafc"/>`,
    ...drawGrid(area, project),
    ...(options.isRoute && placed.length > 1
      ? [
          `<polyline points="${route}" fill="none" stroke="#475569" stroke-width="1.5" stroke-dasharray="5 4"/>`,
        ]
      : []),
    ...towns,
    ...markers,
    ...labels,
    drawScale(area, project),
    '</svg>',
  ].join('\n')
}

type Screen = { readonly x: number; readonly y: number }
type Projection = (point: { readonly lat: number; readonly lon: number }) => Screen

/** Mercator, with the same scale in both directions, centred. */
function createProjection(area: MapArea): Projection {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const mercator = (lat: number): number => Math.log(Math.tan(Math.PI / 4 + radians(lat) / 2))
  const width = radians(area.east - area.west)
  const height = mercator(area.north) - mercator(area.south)
  const scale = Math.min((WIDTH - 2 * MARGIN) / width, (HEIGHT - 2 * MARGIN) / height)
  const left = (WIDTH - width * scale) / 2
  const top = (HEIGHT - height * scale) / 2
  return ({ lat, lon }) => ({
    x: round(left + radians(lon - area.west) * scale),
    y: round(top + (mercator(area.north) - mercator(lat)) * scale),
  })
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

const STEPS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 45]

function drawGrid(area: MapArea, project: Projection): readonly string[] {
  const span = Math.max(area.north - area.south, area.east - area.west)
  const step = STEPS.find((one) => span / one <= 6) ?? 90
  const lines: string[] = []
  for (let lat = Math.ceil(area.south / step) * step; lat <= area.north; lat += step) {
    const { y } = project({ lat, lon: area.west })
    lines.push(
      `<line x1="0" x2="${WIDTH}" y1="${y}" y2="${y}" class="grid"/><text x="4" y="${round(y - 3)}" class="grid">${formatDegrees(lat, 'N', 'S')}</text>`,
    )
  }
  for (let lon = Math.ceil(area.west / step) * step; lon <= area.east; lon += step) {
    const { x } = project({ lat: area.south, lon })
    lines.push(
      `<line x1="${x}" x2="${x}" y1="0" y2="${HEIGHT}" class="grid"/><text x="${round(x + 3)}" y="${HEIGHT - 4}" class="grid">${formatDegrees(lon, 'E', 'W')}</text>`,
    )
  }
  return lines
}

function formatDegrees(value: number, positive: string, negative: string): string {
  const digits = Math.abs(value)
    .toFixed(3)
    .replace(/\.?0+$/, '')
  return `${digits}° ${value >= 0 ? positive : negative}`
}

const LENGTHS_KM = [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000]
const KM_PER_DEGREE = 111.32

function drawScale(area: MapArea, project: Projection): string {
  const lat = (area.south + area.north) / 2
  const { x: left } = project({ lat, lon: area.west })
  const { x: right } = project({ lat, lon: area.east })
  const km = (area.east - area.west) * KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
  const pixelsPerKm = (right - left) / Math.max(km, 1e-6)
  const length = LENGTHS_KM.findLast((one) => one * pixelsPerKm <= 140) ?? LENGTHS_KM[0] ?? 1
  const end = WIDTH - 16
  const start = round(end - length * pixelsPerKm)
  const text = length < 1 ? `${length * 1000} m` : `${length} km`
  return `<path d="M${start} 20v5H${end}v-5" fill="none" stroke="#0f172a"/><text x="${start}" y="16">${text}</text>`
}

type Box = Screen & { readonly width: number; readonly height: number }

/** Labels that would cover another one are left out. */
function createLabelSpace() {
  const taken: Box[] = []
  return {
    take: (box: Box): void => void taken.push(box),
    isFree: (box: Box): boolean =>
      box.x >= 0 &&
      box.x + box.width <= WIDTH &&
      box.y >= 0 &&
      box.y + box.height <= HEIGHT &&
      !taken.some(
        (other) =>
          box.x < other.x + other.width &&
          other.x < box.x + box.width &&
          box.y < other.y + other.height &&
          other.y < box.y + box.height,
      ),
  }
}

type Label = Screen & { readonly label: string; readonly kind?: 'town' }

function drawLabel(
  space: ReturnType<typeof createLabelSpace>,
  { x, y, label, kind }: Label,
): readonly string[] {
  const text = label.length > 32 ? `${label.slice(0, 31)}…` : label
  const width = text.length * LABEL_WIDTH[kind ?? 'point']
  const boxes = [
    { x, y: y - LABEL_HEIGHT / 2, width, height: LABEL_HEIGHT },
    {
      x: x - width - (kind === 'town' ? 12 : 28),
      y: y - LABEL_HEIGHT / 2,
      width,
      height: LABEL_HEIGHT,
    },
  ]
  const box = boxes.find(space.isFree)
  if (box === undefined) return []
  space.take(box)
  const className = kind === 'town' ? ' class="town"' : ''
  // On the left it ends at its point, however wide it is.
  const place = box.x < x ? `x="${round(box.x + width)}" text-anchor="end"` : `x="${round(box.x)}"`
  return [`<text ${place} y="${round(y + 4)}"${className}>${escapeHtml(text)}</text>`]
}
