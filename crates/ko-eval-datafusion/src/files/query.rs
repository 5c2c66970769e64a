//! A query that only reads.

use super::table;
use crate::aggregate::KoAggregate;
use datafusion::{
    arrow::array::RecordBatch,
    common::{
        TableReference, plan_err,
        tree_node::{TreeNode, TreeNodeRecursion},
    },
    dataframe::DataFrame,
    error::{DataFusionError, Result},
    logical_expr::{Expr, LogicalPlan},
    physical_plan::{ExecutionPlan, collect},
    prelude::{SQLOptions, SessionContext},
};
use std::{sync::Arc, time::Duration};

/// How often progress is told.
const TICK: Duration = Duration::from_millis(250);

/// A query that was planned: its files are there, its functions and constants are known, and it writes nothing.
#[derive(Debug)]
pub struct Query {
    frame: DataFrame,
    plan: LogicalPlan,
}

impl Query {
    /// Plans a query whose tables are files. Tables that the session knows already keep their names.
    ///
    /// # Errors
    /// What is no query, reads what is not there, or would write; names and settings of ours that there are not.
    pub async fn plan(session: &SessionContext, sql: &str) -> Result<Self> {
        let state = session.state();
        let statement =
            state.sql_to_statement(sql, &state.config().options().sql_parser.dialect)?;
        let tables = state.resolve_table_references(&statement)?;
        if !is_query(&statement) {
            return plan_err!(
                "this only reads: SELECT, and EXPLAIN of it; nothing is created, changed, copied or set"
            );
        }
        for table in tables {
            let name = match &table {
                TableReference::Bare { table } => table.to_string(),
                other => other.to_string(),
            };
            if !session.table_exist(table.clone()).unwrap_or(false) {
                let opened = table::open(&state, &name).await?;
                session.register_table(TableReference::bare(name), opened)?;
            }
        }
        let plan = session.state().statement_to_plan(statement).await?;
        SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false)
            .verify_plan(&plan)?;
        let frame = session.execute_logical_plan(plan).await?;
        let plan = frame.clone().into_optimized_plan()?;
        Ok(Self { frame, plan })
    }

    /// Every corpus score that the query asks for, as it is written there, with the metric's signature. A metric that cannot be opened here (its dictionary may lie
    /// only where the query runs) has none.
    pub fn signatures(&self) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        let visited = self.plan.apply_with_subqueries(|node| {
            for expression in node.expressions() {
                expression.apply(|expression| {
                    let told = told(expression);
                    found.extend(told.filter(|told| !found.contains(told)));
                    Ok(TreeNodeRecursion::Continue)
                })?;
            }
            Ok(TreeNodeRecursion::Continue)
        });
        // Looking at a plan fails only if we say so.
        if visited.is_ok() { found } else { Vec::new() }
    }

    /// Runs the query; `progress` hears now and then how many rows were read so far.
    ///
    /// # Errors
    /// A file that cannot be read, a text that cannot be scored; whatever stopped it, with the function and the file where they are known.
    pub async fn collect(self, mut progress: impl FnMut(usize)) -> Result<Vec<RecordBatch>> {
        let context = Arc::new(self.frame.task_ctx());
        let plan = self.frame.create_physical_plan().await?;
        let mut work = tokio::spawn(collect(Arc::clone(&plan), context));
        loop {
            match tokio::time::timeout(TICK, &mut work).await {
                Ok(Ok(done)) => return done,
                // A reader of Parquet that trips over a damaged file must not take the caller with it.
                Ok(Err(broken)) => return Err(DataFusionError::External(Box::new(broken))),
                Err(_) => progress(rows_read(&*plan)),
            }
        }
    }
}

/// Whether a statement asks and does nothing else.
fn is_query(statement: &datafusion::sql::parser::Statement) -> bool {
    use datafusion::sql::{parser::Statement, sqlparser::ast};
    match statement {
        Statement::Statement(statement) => {
            matches!(**statement, ast::Statement::Query(_) | ast::Statement::Explain { .. })
        }
        Statement::Explain(explain) => is_query(&explain.statement),
        _ => false,
    }
}

/// A call of ours as it is written, and its signature.
fn told(expression: &Expr) -> Option<(String, String)> {
    let Expr::AggregateFunction(call) = expression else { return None };
    let function = call.func.inner().downcast_ref::<KoAggregate>()?;
    let signature = function.signature_of(&call.params.args)?;
    Some((expression.human_display().to_string(), signature))
}

/// The rows that came from files.
fn rows_read(plan: &dyn ExecutionPlan) -> usize {
    let children = plan.children();
    match children.is_empty() {
        true => plan.metrics().and_then(|metrics| metrics.output_rows()).unwrap_or_default(),
        false => children.iter().map(|child| rows_read(child.as_ref())).sum(),
    }
}
