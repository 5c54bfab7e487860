import { visibleText } from '@surehand/core/host'

/** The reason why one operation is left out. Other operations are not affected. */
export class LeftOut extends Error {
  constructor(reason: string) {
    super(visibleText(reason))
    this.name = 'LeftOut'
  }
}
