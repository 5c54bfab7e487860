export { type FakeClock, fakeClock, settle } from './fake-clock.ts'
