"""Pages of questions, answers and the passages behind them."""
