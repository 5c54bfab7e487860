/** Colours of paper and ink with enough contrast. */
export type Look = {
  readonly paper: string
  readonly ink: string
  readonly accent: string
  readonly onAccent: string
  readonly quiet: string
}

export const LIGHT: readonly Look[] = [
  { paper: '#fffaf0', ink: '#222222', accent: '#b3261e', onAccent: '#ffffff', quiet: '#555555' },
  { paper: '#f2f7fb', ink: '#12263a', accent: '#0b5fa5', onAccent: '#ffffff', quiet: '#41566b' },
  { paper: '#fdf6e3', ink: '#3b2f1e', accent: '#2f6b3a', onAccent: '#ffffff', quiet: '#665a44' },
  { paper: '#ffffff', ink: '#111111', accent: '#f2c230', onAccent: '#111111', quiet: '#444444' },
]

export const DARK: readonly Look[] = [
  { paper: '#14213d', ink: '#ffffff', accent: '#fca311', onAccent: '#14213d', quiet: '#d5dbe6' },
  { paper: '#2b1b2e', ink: '#fff4e6', accent: '#ff6f59', onAccent: '#2b1b2e', quiet: '#e3d3e6' },
  { paper: '#0f2d2a', ink: '#f3fff9', accent: '#7fe0b0', onAccent: '#0f2d2a', quiet: '#cfe8df' },
]
