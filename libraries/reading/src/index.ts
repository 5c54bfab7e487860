export { localImageCleanUp } from './clean-image.ts'
export { withDecodeSlot } from './decode-slots.ts'
export {
  decodeImageBytes,
  encodeImageBytes,
  ImageBytes,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_INPUT_BYTES,
} from './image-bytes.ts'
export {
  type CleanedImage,
  CleanUpOperation,
  type CleanUpRequest,
  type ImageCleanUpPort,
  imageCleanUpPort,
} from './image-clean-up-port.ts'
export { type LocalOcr, localOcr } from './local-ocr.ts'
export {
  OCR_LANGUAGES,
  type OcrBox,
  type OcrLanguage,
  type OcrLine,
  type OcrPort,
  type OcrReading,
  type OcrRequest,
  ocrPort,
} from './ocr-port.ts'
export { detectImageType, MAX_PIXELS, type OpenedImage, openImage } from './open-image.ts'
