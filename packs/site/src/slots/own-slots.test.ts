import { ownSlotsSuite } from '../fixtures/own-slots-suite.ts'

ownSlotsSuite(async () => ({}))
