import { chaosGate } from './gate-suite.ts'

chaosGate('sqlite', 'crashes')
