import fc from 'fast-check'

// the gate tries the same cases each time, so that a red run is about the change; `npm run fuzz` tries new ones
if (process.env.SUREHAND_FUZZ === undefined) fc.configureGlobal({ seed: 20_261_115 })
