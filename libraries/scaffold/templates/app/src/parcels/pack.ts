import { definePack } from '@surehand/core'
import { redirectParcel } from './redirect-parcel.ts'
import { trackParcel } from './track-parcel.ts'

export const parcelsPack = definePack({ name: 'parcels', tools: [trackParcel, redirectParcel] })
