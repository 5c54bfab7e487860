import { chaosGate } from './gate-suite.ts'

chaosGate('postgres', 'crashes')
