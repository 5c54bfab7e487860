import { cleanImage } from './clean-image.ts'
import type { ImageCleanUpPort } from './image-clean-up-port.ts'

/** Cleans pictures up locally, with filters that add nothing to the picture. */
export function localImageCleanUp(): ImageCleanUpPort {
  return {
    async edit({ image, operations }) {
      const { png, confidence } = await cleanImage(image, operations)
      return {
        image: png,
        mediaType: 'image/png',
        confidence: Math.round(confidence * 1000) / 1000,
        provider: 'local',
      }
    },
  }
}
