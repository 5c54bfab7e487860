type Trip = { readonly distanceMeters: number; readonly durationSeconds: number }

const METERS_PER_MILE = 1609.344
const METERS_PER_FOOT = 0.3048

/** Distance and duration as Google's Distance Matrix writes them. */
export function formatMeasures(
  { distanceMeters, durationSeconds }: Trip,
  units: 'metric' | 'imperial',
) {
  return {
    distance: {
      text: units === 'metric' ? metricText(distanceMeters) : imperialText(distanceMeters),
      value: distanceMeters,
    },
    duration: { text: durationText(durationSeconds), value: durationSeconds },
  }
}

function metricText(meters: number): string {
  return meters < 1_000 ? `${Math.round(meters)} m` : `${formatNumber(meters / 1_000)} km`
}

function imperialText(meters: number): string {
  const miles = meters / METERS_PER_MILE
  return miles < 0.1 ? `${Math.round(meters / METERS_PER_FOOT)} ft` : `${formatNumber(miles)} mi`
}

function formatNumber(value: number): string {
  return value < 100 ? String(Math.round(value * 10) / 10) : Math.round(value).toLocaleString('en')
}

function durationText(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const parts = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'min'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .slice(0, 2)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ')
}
