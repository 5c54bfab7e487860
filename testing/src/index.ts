export type { Effect, EffectLog } from './emulator/effect-log.ts'
export type { FaultForm } from './emulator/fault.ts'
export {
  type Conversation,
  lastResults,
  type ModelScript,
  type OfferedTool,
  type RequestedCall,
  type ScriptedCall,
  type ScriptedReply,
  type ToolResult,
  type Turn,
  type Vendor,
} from './emulator/models/conversation.ts'
export { findSchemaProblems, type SchemaRules } from './emulator/models/schema-rules.ts'
export {
  type ModelEmulator,
  type ModelEmulatorOptions,
  startModelEmulator,
} from './emulator/models/start-model-emulator.ts'
export type { EmulatorReply, EmulatorRequest, EmulatorRoute } from './emulator/route.ts'
export {
  type Emulator,
  type EmulatorOptions,
  FAULT_HEADER,
  startEmulator,
} from './emulator/start-emulator.ts'
export {
  type ChaosVerdict,
  type KilledNodes,
  printVerdict,
  readJsonLines,
  startKilledNodes,
} from './killed-nodes.ts'
export { onTerminal, type Seen, type Step } from './on-terminal.ts'
export { type SeededRandom, seededRandom } from './seeded-random.ts'
export { canOpenSmallDisk, openSmallDisk, type SmallDisk } from './small-disk.ts'
