/** What the examples with an agent share: the loop, the model, and how its events travel. */

export { type AgentEvent, type AgentTurn, agentTurn } from "./agent-turn.ts";
export { type ChosenModel, chooseModel } from "./choose-model.ts";
export { EVENT_STREAM_HEADERS, eventStream, type Say } from "./event-stream.ts";
export {
  type Plan,
  type PlannedTurn,
  type ScriptedCall,
  type ScriptedTurn,
  scriptedModel,
  type ToolAnswer,
} from "./scripted-model.ts";
