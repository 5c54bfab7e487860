// table

/** A sector (umurenge) of the City of Kigali, with the middle of its area. */
export type KigaliSector = {
  readonly name: string
  readonly district: 'Gasabo' | 'Kicukiro' | 'Nyarugenge'
  readonly latitude: number
  readonly longitude: number
  /** Another spelling in use. */
  readonly alias?: string
}

// The centroids of the sectors' boundaries of 2012 by the National Institute of Statistics of Rwanda
// (geodata.nisr.opendata.arcgis.com), computed from their GeoJSON in github.com/awoldemichael/RwandaCHAIN
// (www/geodata/RWA_admin3.geojson, simplified to 5 %) and rounded to four decimals. A large sector
// extends several kilometres around its centroid.
const GASABO: readonly (readonly [string, number, number, string?])[] = [
  ['Bumbogo', -1.8879, 30.1559],
  ['Gatsata', -1.9222, 30.0423],
  ['Gikomero', -1.8748, 30.229],
  ['Gisozi', -1.9177, 30.0613],
  ['Jabana', -1.8643, 30.0641],
  ['Jali', -1.8824, 30.0165],
  ['Kacyiru', -1.9376, 30.0805],
  ['Kimihurura', -1.9543, 30.0884],
  ['Kimironko', -1.9384, 30.1243],
  ['Kinyinya', -1.909, 30.0965],
  ['Ndera', -1.9336, 30.1868],
  ['Nduba', -1.8513, 30.1128],
  ['Remera', -1.9477, 30.1061],
  ['Rusororo', -1.9365, 30.2359],
  ['Rutunga', -1.8251, 30.1744],
]

const KICUKIRO: readonly (readonly [string, number, number, string?])[] = [
  ['Gahanga', -2.0316, 30.1097],
  ['Gatenga', -1.9981, 30.083],
  ['Gikondo', -1.9735, 30.0786],
  ['Kagarama', -1.9977, 30.1135],
  ['Kanombe', -1.9978, 30.145],
  ['Kicukiro', -1.9719, 30.0972],
  ['Kigarama', -1.9876, 30.0645],
  ['Masaka', -2.0222, 30.2031],
  ['Niboye', -1.9764, 30.1138],
  ['Nyarugunga', -1.9744, 30.1578],
]

const NYARUGENGE: readonly (readonly [string, number, number, string?])[] = [
  ['Gitega', -1.9535, 30.0552],
  ['Kanyinya', -1.9178, 30.0026],
  ['Kigali', -1.9792, 30.019],
  ['Kimisagara', -1.953, 30.0461],
  ['Mageregere', -2.0418, 30.0361, 'Mageragere'],
  ['Muhima', -1.9412, 30.0608],
  ['Nyakabanda', -1.9695, 30.045],
  ['Nyamirambo', -1.9927, 30.0433],
  ['Nyarugenge', -1.9569, 30.0644],
  ['Rwezamenyo', -1.9713, 30.0525],
]

/** The 35 sectors of Kigali, which gazetteers of cities lack. */
export const KIGALI_SECTORS: readonly KigaliSector[] = [
  ...sectorsOf('Gasabo', GASABO),
  ...sectorsOf('Kicukiro', KICUKIRO),
  ...sectorsOf('Nyarugenge', NYARUGENGE),
]

function sectorsOf(
  district: KigaliSector['district'],
  rows: typeof GASABO,
): readonly KigaliSector[] {
  return rows.map(([name, latitude, longitude, alias]) => ({
    ...{ name, district, latitude, longitude },
    ...(alias === undefined ? {} : { alias }),
  }))
}

/** The sector of this name, however it is written. */
export function findSector(name: string): KigaliSector | undefined {
  const wanted = name.trim().toLowerCase()
  return KIGALI_SECTORS.find(
    (sector) => sector.name.toLowerCase() === wanted || sector.alias?.toLowerCase() === wanted,
  )
}
