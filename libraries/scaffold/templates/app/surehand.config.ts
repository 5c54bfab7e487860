import { defineConfig } from 'surehand'
import { localParcels } from './src/parcels/local-parcels.ts'
import { parcelsPack } from './src/parcels/pack.ts'

// Every setting: npx surehand doctor
export default defineConfig({
  packs: [parcelsPack],
  providers: { parcels: localParcels() },
})
