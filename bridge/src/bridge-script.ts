import { browserScript } from './build-script.ts'

/** The script that a site includes: `<script src="…/site/bridge.js" data-key="pk_…" defer>`. */
export const bridgeScript = browserScript({
  built: new URL('./site-bridge.js', import.meta.url),
  source: new URL('./page/bridge.ts', import.meta.url),
})
