import { visibleText } from '@surehand/core/host'

/** Why one operation is left out; it never takes the others with it. */
export class LeftOut extends Error {
  constructor(reason: string) {
    super(visibleText(reason))
    this.name = 'LeftOut'
  }
}
