import { visibleText } from '@surehand/core/host'
import type { ReactNode } from 'react'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

type Place = {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly note?: string | undefined
}

const [WIDTH, HEIGHT, MARGIN] = [800, 420, 60]
const LONGEST_LABEL = 30
// A plan in one town would otherwise be drawn as if its streets were countries.
const LEAST_DEGREES = 0.02

/**
 * Where places are to each other, in their order and true to scale. No tiles are loaded: they would
 * tell another server where the person travels.
 */
export function PlaceMap({ places }: { readonly places: readonly Place[] }): ReactNode {
  const points = project(places)
  const path = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
  return (
    <div className="place-map">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <polyline points={path} />
        {points.map(({ x, y }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places have an order and no ids
          <g key={place}>
            <circle cx={x} cy={y} r={14} />
            <text x={x} y={y} dy="0.36em" textAnchor="middle">
              {place + 1}
            </text>
            <text x={x} y={y - 22} textAnchor="middle">
              {visibleText(places[place]?.name ?? '').slice(0, LONGEST_LABEL)}
            </text>
          </g>
        ))}
      </svg>
      <ol>
        {places.map(({ name, note, latitude, longitude }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places have an order and no ids
          <li key={place}>
            <UntrustedText>{name}</UntrustedText>{' '}
            <span className="quiet">
              {note === undefined ? null : (
                <>
                  <UntrustedText>{note}</UntrustedText>,{' '}
                </>
              )}
              {latitude.toFixed(4)}, {longitude.toFixed(4)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

type Point = { readonly x: number; readonly y: number }

/** Meridians converge: a degree of longitude is as long as the cosine of the latitude says. */
function project(places: readonly Place[]): readonly Point[] {
  const shortening = Math.cos(
    (places.reduce((sum, { latitude }) => sum + latitude, 0) / places.length) * (Math.PI / 180),
  )
  const plane = places.map(({ latitude, longitude }) => ({
    east: longitude * shortening,
    north: latitude,
  }))
  const [west, east] = rangeOf(plane.map((point) => point.east))
  const [south, north] = rangeOf(plane.map((point) => point.north))
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(east - west, LEAST_DEGREES),
    (HEIGHT - 2 * MARGIN) / Math.max(north - south, LEAST_DEGREES),
  )
  return plane.map((point) => ({
    x: WIDTH / 2 + (point.east - (west + east) / 2) * scale,
    y: HEIGHT / 2 - (point.north - (south + north) / 2) * scale,
  }))
}

function rangeOf(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values), Math.max(...values)]
}
